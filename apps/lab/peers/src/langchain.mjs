/** LangChain: `createAgent` with zod tools. The model binds its tools without converting them. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'

export function createLoop({ tools, steps, script, prompt }) {
  const agent = createAgent({
    model: new ScriptedModel(script),
    tools: tools.map(({ name, description, execute }) =>
      tool(execute, { name, description, schema: z.object({ a: z.number(), b: z.number() }) }),
    ),
  })
  // Each model turn and each tool call counts as one step.
  const recursionLimit = 2 * steps + 2
  return {
    async run() {
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] }, { recursionLimit })
      return messages.at(-1).content
    },
  }
}

class ScriptedModel extends BaseChatModel {
  #script

  constructor(script) {
    super({})
    this.#script = script
  }

  _llmType() {
    return 'scripted'
  }

  bindTools() {
    return this
  }

  async _generate(messages) {
    const call = this.#script.next(messages)
    const message =
      call === undefined
        ? new AIMessage(this.#script.answer)
        : new AIMessage({ content: '', tool_calls: [{ id: call.id, name: call.name, args: JSON.parse(call.arguments) }] })
    return { generations: [{ text: message.text, message }] }
  }
}
