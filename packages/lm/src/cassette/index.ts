export { type RecordOptions, recordLM } from './record.ts'
export { type ReplayedLM, type ReplayOptions, replayLM } from './replay.ts'
