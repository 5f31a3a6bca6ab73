/**
 * The baseline: a hand-written loop. It parses the arguments, validates them with a compiled schema, calls the tool, and records the call
 * and its result.
 */
import { Ajv } from 'ajv'

export function createLoop({ tools, script, prompt }) {
  const ajv = new Ajv()
  const validate = ajv.compile(tools[0].parameters)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    async run() {
      const messages = [{ role: 'user', content: prompt }]
      for (;;) {
        const { text, call } = await generate(messages)
        if (call === undefined) return text
        messages.push({ role: 'assistant', content: text, toolCalls: [call] })
        const args = JSON.parse(call.arguments)
        const content = validate(args)
          ? JSON.stringify(await byName.get(call.name).execute(args))
          : ajv.errorsText(validate.errors)
        messages.push({ role: 'tool', callId: call.id, name: call.name, content })
      }
    },
  }

  async function generate(messages) {
    const call = script.next(messages)
    return call === undefined ? { text: script.answer } : { text: '', call }
  }
}
