/** `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>`, as gpt-oss writes it. */
import { CONTROL_TOKENS } from './define/control-tokens.ts'
import { defineDialect } from './define/define-dialect.ts'
import { MESSAGE_ENDS, MESSAGE_OPENS, readMessage, SPACE } from './families/named-json/channels.ts'

export const harmony = defineDialect({
  name: 'harmony',
  models: [/gpt-oss/],
  controlTokens: CONTROL_TOKENS.harmony,
  blocks: [{ open: [...MESSAGE_OPENS, ...MESSAGE_ENDS], read: readMessage }],
  ignored: ['<|message|>', '<|constrain|>'],
  // The markers are single tokens, so a fence doesn't turn them into an example. A message to another recipient isn't meant for the user.
  policy: { callInFence: 'call', callInReasoning: 'call', malformedBlock: 'drop' },
  formatCalls(calls) {
    const wrong = calls.find(({ name }) => !/^[^\s<]+$/.test(name))
    if (wrong !== undefined) {
      const message = `The call to "${wrong.name}" cannot be written: a recipient must not be empty or contain spaces or "<".`
      return { ok: false, code: 'invalid_name', message }
    }
    const messages = calls.map(
      ({ name, json }) => `<|channel|>commentary to=${SPACE}${name} <|constrain|>json<|message|>${json}<|call|>`,
    )
    return messages.join('<|start|>assistant')
  },
  formatResult: ({ name, text }) => `<|start|>${SPACE}${name} to=assistant<|channel|>commentary<|message|>${text}<|end|>`,
})
