/** The contract of dialects, kept by those of tagged parameters. */
import {
  deepseekV4,
  deepseekV32,
  glm45,
  glm47,
  kExaone2,
  minimaxM2,
  minimaxM3,
  poolsideV1,
  qwen3Coder,
  seedOss,
  step3,
  step3p5,
} from './index.ts'
import { describeContract } from './test-contract.ts'

describeContract([
  deepseekV32,
  deepseekV4,
  glm45,
  glm47,
  kExaone2,
  minimaxM2,
  minimaxM3,
  poolsideV1,
  qwen3Coder,
  seedOss,
  step3,
  step3p5,
])
