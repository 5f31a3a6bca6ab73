/** The contract of dialects, kept by those of the other dialects. */
import {
  bfclJsonXml,
  dspyChatadapter,
  functiongemma,
  gemma4,
  hunyuanV3,
  hunyuanV4,
  kimiK3,
  morphXml,
  reactText,
  yamlXml,
} from './index.ts'
import { describeContract } from './test-contract.ts'

describeContract([
  bfclJsonXml,
  dspyChatadapter,
  functiongemma,
  gemma4,
  hunyuanV3,
  hunyuanV4,
  kimiK3,
  morphXml,
  reactText,
  yamlXml,
])
