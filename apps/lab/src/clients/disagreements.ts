/** Recorded replies that an official client reads otherwise than we do, by the id of the case, each with the reason. */

export const DISAGREEMENTS: ReadonlyMap<string, string> = new Map([
  ['openai-chat-039-test-chat-content-filtering', 'the client wants a message, which a filtered reply of this host lacks'],
  [
    'openai-chat-057-should-stream-tool-call-with-missing-type-field-azure-ai-fou',
    'the client wants a `type` in each call, which this host leaves out',
  ],
  ['openai-chat-059-distinct-tool-calls-that-reuse-an-index', 'the client wants a finish reason, which is not in the record'],
  ['openai-chat-060-index-never-given-continuation-without-id', 'the client wants a finish reason, which is not in the record'],
  ['openai-chat-063-two-calls-index-never-given', 'the client wants a finish reason, which is not in the record'],
  ['openai-chat-cut-deepseek-tool-call', 'the client wants a finish reason; we give what came before the cut, marked as cut'],
  [
    'openai-responses-003-backfills-tool-call-from-response-completed-output-when-name',
    'the client wants events that this host leaves out',
  ],
  ['openai-responses-cut-azure-tool-call-1', 'the client takes a stream that just stops for a whole one'],
  [
    'anthropic-messages-044-should-use-non-empty-input-from-content-block-start-for-defe',
    'the client wants the beginning of the message, which is not in the record',
  ],
  [
    'anthropic-messages-045-should-not-prepend-empty-input-when-deltas-follow-content-bl',
    'the client wants the beginning of the message, which is not in the record',
  ],
])
