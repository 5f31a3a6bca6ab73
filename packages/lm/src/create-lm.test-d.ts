import { defineSignature, type LM, type LMDelta, type LMResponse, nativeAdapter, ToolCalls, Tools } from '@x/adapters'
import { type OpenAIChatBody, openaiChat, type WireFormat } from '@x/adapters/wire'
import { createLM } from './index.ts'
import { type ScriptedLM, scriptedLM } from './testing.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

// A third-party provider, defined by two pure functions.
interface AcmeBody {
  readonly prompt: string
  readonly functions: readonly { readonly name: string }[]
}
interface AcmeReply {
  readonly say: string
  readonly calls: readonly { readonly fn: string; readonly json: string }[]
}
const acme: WireFormat<AcmeBody, AcmeReply> = {
  name: 'acme',
  path: '/generate',
  encode: ({ messages, tools = [] }) => ({
    prompt: messages.map((message) => message.content).join('\n'),
    functions: tools.map((tool) => tool.function),
  }),
  decode: ({ say, calls }) => ({
    text: say,
    toolCalls: calls.map((call, index) => ({ id: `call_${index}`, name: call.fn, arguments: call.json })),
  }),
}
const lm = createLM({ wire: acme, baseURL: 'http://localhost:8080', model: 'acme-1' })
expectType<Equal<typeof lm, Required<LM>>>()

// A model may be an object with a single method.
const echo: LM = { generate: async ({ messages }) => ({ text: messages.at(-1)?.content ?? '', toolCalls: [] }) }
void echo

// A wire format that is used directly keeps its types of body and reply.
expectType<Equal<ReturnType<typeof acme.encode>, AcmeBody>>()
expectType<Equal<ReturnType<typeof openaiChat.encode>, OpenAIChatBody>>()
openaiChat.decode({ anything: 'at all' })

// @ts-expect-error A wire format must decode.
createLM({ wire: { name: 'acme', path: '/generate', encode: () => ({}) }, baseURL: 'http://localhost', model: 'm' })
// @ts-expect-error A model must have a name.
createLM({ wire: acme, baseURL: 'http://localhost' })
// @ts-expect-error A response must have a list of calls, even an empty one.
const silent: LM = { generate: async () => ({ text: '' }) }
void silent

// Models use the same request and response types as adapters.
const signature = defineSignature({ instructions: '', inputs: { tools: Tools() }, outputs: { tool_calls: ToolCalls() } })
const request = nativeAdapter.format(signature, { tools: [] })
expectType<Equal<ReturnType<typeof lm.generate>, Promise<LMResponse>>>()
expectType<Equal<ReturnType<typeof lm.stream>, AsyncIterable<LMDelta>>>()
void lm.generate(request, { signal: new AbortController().signal })

// A script may contain partial responses, errors and functions. The result is a model.
const script: ScriptedLM = scriptedLM([{ text: 'a' }, new Error('b'), ({ messages }) => ({ text: `${messages.length}` })])
void nativeAdapter.parse(signature, await script.generate(request))
// @ts-expect-error A string isn't a reply.
scriptedLM(['a'])
