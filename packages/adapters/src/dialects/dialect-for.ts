/** Which dialect a model speaks, by its name: a table, and an honest `undefined`. */
import { apriel } from './apriel.ts'
import { cohere } from './cohere.ts'
import { deepseekV3 } from './deepseek-v3.ts'
import { deepseekV4 } from './deepseek-v4.ts'
import { deepseekV31 } from './deepseek-v31.ts'
import { deepseekV32 } from './deepseek-v32.ts'
import type { Dialect } from './dialect.ts'
import { ernie45 } from './ernie45.ts'
import { firefunction } from './firefunction.ts'
import { functionaryV31 } from './functionary-v31.ts'
import { functionaryV32 } from './functionary-v32.ts'
import { functiongemma } from './functiongemma.ts'
import { gemma4 } from './gemma4.ts'
import { glm45 } from './glm45.ts'
import { glm47 } from './glm47.ts'
import { granite } from './granite.ts'
import { granite20bFc } from './granite-20b-fc.ts'
import { granite4 } from './granite4.ts'
import { harmony } from './harmony.ts'
import { hermes } from './hermes.ts'
import { hunyuanA13b } from './hunyuan-a13b.ts'
import { hunyuanV3 } from './hunyuan-v3.ts'
import { hunyuanV4 } from './hunyuan-v4.ts'
import { internlm2 } from './internlm2.ts'
import { jamba } from './jamba.ts'
import { kExaone2 } from './k-exaone2.ts'
import { kimiK2 } from './kimi-k2.ts'
import { kimiK3 } from './kimi-k3.ts'
import { lfm2 } from './lfm2.ts'
import { llama3Json } from './llama3-json.ts'
import { llama4Pythonic } from './llama4-pythonic.ts'
import { minimax } from './minimax.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { minimaxM3 } from './minimax-m3.ts'
import { mistral } from './mistral.ts'
import { nemotronJson } from './nemotron-json.ts'
import { olmo3 } from './olmo3.ts'
import { phi4mini } from './phi4mini.ts'
import { poolsideV1 } from './poolside-v1.ts'
import { pythonic } from './pythonic.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { seedOss } from './seed-oss.ts'
import { step3 } from './step3.ts'
import { step3p5 } from './step3p5.ts'
import { xlam } from './xlam.ts'

/**
 * From the top, the first that a name matches: models named after two families first, and newer versions before older ones. A
 * version ends where it ends: `granite-34b` is no Granite 3.
 */
const TABLE: readonly (readonly [pattern: RegExp, dialect: Dialect | undefined])[] = [
  // These do not talk, or not with tools.
  [/embed|rerank|guard|reward|-base(?:-|$)/, undefined],
  // Distilled into other families, and never taught to call.
  [/deepseek-r1-(?:distill|0528-qwen)/, undefined],
  [/xlam/, xlam],
  [/toolace/, pythonic],
  [/hermes-?(?:2-?(?:pro|theta)|[34](?!\d))/, hermes],
  [/hermes/, undefined],
  [/nemotron-?3-nano/, qwen3Coder],
  [/nemotron-nano-(?:9b|12b)-v2/, nemotronJson],
  [/nemotron/, undefined],
  [/functionary.*v3\.1(?!\d)/, functionaryV31],
  [/functionary.*v3\.2(?!\d)/, functionaryV32],
  [/firefunction/, firefunction],
  [/gpt-oss/, harmony],
  [/qwen-?3(?:-coder|-next|\.[568](?!\d))/, qwen3Coder],
  [/qwen-?(?:2\.5|3)(?![\d.b])|qwq(?![a-z])/, hermes],
  [/(?:^|-)mimo-v2/, qwen3Coder],
  [/(?:^|-)step-?3(?:\.|p)5(?!\d)/, step3p5],
  [/(?:^|-)step-?3(?![\d.b])/, step3],
  [/k-exaone-?2(?![\db])/, kExaone2],
  [/seed-oss/, seedOss],
  [/minimax-m1(?!\d)/, minimax],
  [/minimax-m2(?!\d)/, minimaxM2],
  [/minimax-m3(?!\d)/, minimaxM3],
  [/deepseek-v4(?![\d.])/, deepseekV4],
  [/deepseek-v3\.2-exp/, deepseekV31],
  [/deepseek-v3\.2(?!\d)/, deepseekV32],
  [/deepseek-v3\.1(?!\d)/, deepseekV31],
  [/deepseek-(?:v3|r1-0528)(?![\d.])|cogito.*(?:deepseek|671b)/, deepseekV3],
  [/(?:^|-)glm-?(?:4\.7|5)(?![\db])/, glm47],
  [/(?:^|-)glm-?4\.[56](?!\d)/, glm45],
  [/poolside/, poolsideV1],
  [/hunyuan-a13b/, hunyuanA13b],
  [/hunyuan-?v?3(?=-|$)/, hunyuanV3],
  [/hunyuan-?v?4(?=-|$)/, hunyuanV4],
  [/kimi-k2(?!\d)/, kimiK2],
  [/kimi-k3(?!\d)/, kimiK3],
  [/granite-20b-functioncalling/, granite20bFc],
  [/granite-?4(?:\.\d+)?(?=-|$)/, granite4],
  [/granite-?3(?:\.\d+)?(?=-|$)/, granite],
  [/jamba(?!-v0)/, jamba],
  [/apriel/, apriel],
  [/internlm-?(?:2|3)(?![\db])/, internlm2],
  [/phi-?4-mini(?!-flash|-reasoning)/, phi4mini],
  [/functiongemma/, functiongemma],
  [/(?:^|-)gemma-?4(?=-|$)/, gemma4],
  [/(?:^|-)llama-?4(?=-|$)/, llama4Pythonic],
  [/(?:^|-)llama-?3\.2-(?:1|3)b/, pythonic],
  [/(?:^|-)llama-?3\.[123](?!\d)/, llama3Json],
  // The first ones had no tools.
  [/(?:mistral-7b|mixtral-8x7b)(?:-instruct)?-v0\.[12]/, undefined],
  [/(?:^|-)(?:mistral|mixtral|ministral|devstral|magistral|pixtral|codestral)(?![a-z])/, mistral],
  [/(?:^|-)command-(?:r|a)(?![a-z])/, cohere],
  [/(?:^|-)lfm-?2(?![\db])/, lfm2],
  [/(?:^|-)olmo-?3(?![\db])/, olmo3],
  [/(?:^|-)ernie-?4\.5(?!\d)/, ernie45],
]

/**
 * The dialect of an open model, named as its publisher or a server names it: `Qwen/Qwen3-Coder-30B-A3B-Instruct`, `qwen3-coder:30b`.
 * Undefined for a model that is not in the table, or that writes no calls: then say yourself which dialect it was taught.
 */
export function dialectFor(modelName: string): Dialect | undefined {
  const name = modelName.slice(0, MAX_NAME).toLowerCase()
  const own = name.slice(name.lastIndexOf('/') + 1).replace(/[^a-z0-9.]+/g, '-')
  return TABLE.find(([pattern]) => pattern.test(own))?.[1]
}

const MAX_NAME = 300
