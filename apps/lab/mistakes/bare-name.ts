import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'

declare const lm: LM
void createReactAgent({ lm, signature: defineSignature('question -> answer'), tools: ['web_search'] })
