/** Reasons why an official client reads a recorded reply differently, keyed by case id. */

export const DISAGREEMENTS: ReadonlyMap<string, string> = new Map([
  [
    'openai-chat-039-test-chat-content-filtering',
    'the client requires a message, which a filtered reply of this host does not have',
  ],
  [
    'openai-chat-057-should-stream-tool-call-with-missing-type-field-azure-ai-fou',
    'the client requires a `type` in each call, which this host omits',
  ],
  [
    'openai-chat-059-distinct-tool-calls-that-reuse-an-index',
    'the client requires a finish reason, which is not in the recording',
  ],
  [
    'openai-chat-060-index-never-given-continuation-without-id',
    'the client requires a finish reason, which is not in the recording',
  ],
  ['openai-chat-063-two-calls-index-never-given', 'the client requires a finish reason, which is not in the recording'],
  [
    'openai-chat-cut-deepseek-tool-call',
    'the client requires a finish reason; we return the text before the truncation, marked as truncated',
  ],
  [
    'openai-responses-003-backfills-tool-call-from-response-completed-output-when-name',
    'the client requires events that this host omits',
  ],
  ['openai-responses-cut-azure-tool-call-1', 'the client treats a stream with no terminal event as complete'],
  [
    'anthropic-messages-044-should-use-non-empty-input-from-content-block-start-for-defe',
    'the client requires the beginning of the message, which is not in the recording',
  ],
  [
    'anthropic-messages-045-should-not-prepend-empty-input-when-deltas-follow-content-bl',
    'the client requires the beginning of the message, which is not in the recording',
  ],
])
