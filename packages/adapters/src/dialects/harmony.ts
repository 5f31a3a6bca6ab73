/** `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>`, as written by gpt-oss. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import { MESSAGE_OPENS, readMessage, SPACE, TEXT_ENDS } from './families/named-json/channels.ts'

/** Markers that are the rest of a broken call if they occur in a text message. */
const OF_CALL = ['<|message|>', '<|constrain|>', '<|call|>']

export const harmony = lazyDialect({ name: 'harmony', models: [/gpt-oss/] }, () => ({
  controlTokens: CONTROL_TOKENS.harmony,
  blocks: [{ open: [...MESSAGE_OPENS, ...TEXT_ENDS], inside: OF_CALL, read: readMessage }],
  ignored: OF_CALL,
  // The markers are single tokens, so they are never part of an example, even in a code fence. A malformed message is dropped,
  // because a message to a tool isn't meant for the user.
  policy: { callInFence: 'call', callInReasoning: 'call', malformedBlock: 'drop' },
  formatCalls(calls) {
    const wrong = calls.find(({ name }) => !/^[^\s<]+$/.test(name))
    if (wrong !== undefined) {
      const message = `The call to "${wrong.name}" cannot be written: a recipient must not be empty or contain spaces or "<". Rename the tool.`
      return { ok: false, code: 'invalid_name', message }
    }
    const messages = calls.map(
      ({ name, json }) => `<|channel|>commentary to=${SPACE}${name} <|constrain|>json<|message|>${json}<|call|>`,
    )
    return messages.join('<|start|>assistant')
  },
  formatResult: ({ name, text }) => `<|start|>${SPACE}${name} to=assistant<|channel|>commentary<|message|>${text}<|end|>`,
}))
