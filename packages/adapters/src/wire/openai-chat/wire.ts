/** The wire formats for OpenAI Chat Completions and the many servers with the same API. */
import { defineWire, type FullWireFormat } from '../define-wire.ts'
import { anthropicFacts } from '../facts/anthropic.ts'
import { openaiFacts } from '../facts/openai.ts'
import { shortIds } from '../wire-ids.ts'
import type { OpenAIChatBody } from './body.ts'
import { breakpointsOf } from './cache.ts'
import { decodeFailedReply, decodeReply } from './decode.ts'
import { chatEncoder } from './encode.ts'
import { OPENAI, type OpenAIChatHost } from './hosts.ts'
import { readError } from './read.ts'
import { OpenAIChatStream } from './stream.ts'
import { withoutWrappers } from './wrappers.ts'

/** Defines the wire format of one host. The `name` of the host is also the key of the metadata in its replies. */
export function defineOpenAIChatHost(host: OpenAIChatHost): FullWireFormat<OpenAIChatBody> {
  return defineWire({
    name: host.name,
    path: '/chat/completions',
    toolRules: () => host.toolRules,
    facts: host.facts ?? [openaiFacts, anthropicFacts],
    unknown: host.unknown,
    ...(host.promptCache && { cacheMarks: (_, facts) => breakpointsOf(facts) }),
    ...(host.maxIdLength !== undefined && { toWireId: shortIds(host.maxIdLength) }),
    encode: chatEncoder(host),
    decode: (reply, ids) => decodeReply(reply, ids, host),
    streamDecoder: (ids) => new OpenAIChatStream(ids, host),
    decodeError: readError,
    decodeFailure: (body, ids) => decodeFailedReply(body, ids, host),
    replaceCalls: withoutWrappers,
  })
}

/** The wire format for OpenAI itself, and for servers that aren't in `openaiChatHosts`. */
export const openaiChat: FullWireFormat<OpenAIChatBody> = defineOpenAIChatHost(OPENAI)
