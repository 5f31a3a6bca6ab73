/** XTML, as written by Kimi K3: `<|open|>call tool="NAME"<|sep|>`, arguments with their types, `<|close|>call<|sep|>`. */
import * as CONTROL_TOKENS from './define/control-tokens.ts'
import { lazyDialect } from './define/define-dialect.ts'
import { loose } from './engine/marker.ts'
import { formatXtmlCalls } from './families/xtml/format-xtml.ts'
import { xtmlCall } from './families/xtml/xtml.ts'

export const kimiK3 = lazyDialect({ name: 'kimi_k3', models: [/kimi-k3(?!\d)/] }, () => ({
  controlTokens: CONTROL_TOKENS.kimi_k3,
  reasoning: { open: loose('<|open|> think <|sep|>'), close: loose('<|close|> think <|sep|>'), anywhere: true },
  blocks: [xtmlCall],
  ignored: [
    loose('<|open|> message <|sep|>'),
    loose('<|open|> response <|sep|>'),
    loose('<|close|> response <|sep|>'),
    loose('<|open|> tools <|sep|>'),
    loose('<|close|> tools <|sep|>'),
  ],
  end: [loose('<|close|> message <|sep|>'), '<|end_of_msg|>'],
  // The markers are single tokens and are never part of an answer.
  policy: { unfinished: 'never', malformedBlock: 'drop' },
  formatCalls: formatXtmlCalls,
}))
