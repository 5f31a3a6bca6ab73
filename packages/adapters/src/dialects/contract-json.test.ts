/** The contract of dialects, kept by those of JSON. */
import {
  apriel,
  ernie45,
  firefunction,
  genericJson,
  granite,
  granite4,
  granite20bFc,
  hermes,
  hunyuanA13b,
  internlm2,
  jamba,
  llama3Json,
  minimax,
  nemotronJson,
  phi4mini,
  xlam,
} from './index.ts'
import { describeContract } from './test-contract.ts'

describeContract([
  apriel,
  ernie45,
  firefunction,
  genericJson,
  granite,
  granite20bFc,
  granite4,
  hermes,
  hunyuanA13b,
  internlm2,
  jamba,
  llama3Json,
  minimax,
  nemotronJson,
  phi4mini,
  xlam,
])
