/** The contract of dialects, kept by those of named calls, channels and Python. */
import {
  bfclPython,
  cohere,
  deepseekV3,
  deepseekV31,
  functionaryV31,
  functionaryV32,
  harmony,
  kimiK2,
  lfm2,
  llama4Pythonic,
  mistral,
  olmo3,
  pythonic,
} from './index.ts'
import { describeContract } from './test-contract.ts'

describeContract([
  bfclPython,
  cohere,
  deepseekV3,
  deepseekV31,
  functionaryV31,
  functionaryV32,
  harmony,
  kimiK2,
  lfm2,
  llama4Pythonic,
  mistral,
  olmo3,
  pythonic,
])
