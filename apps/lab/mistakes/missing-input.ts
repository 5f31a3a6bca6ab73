import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'

declare const lm: LM
const agent = await createReactAgent({ lm, signature: defineSignature('question, context -> answer'), tools: [] })
void agent.run({ question: 'Why?' })
