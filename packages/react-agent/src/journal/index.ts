/** The journal in a file: the steps of one run, kept through a crash. */
export type { JournalErrorCode } from './errors.ts'
export { JournalError } from './errors.ts'
export type { FileJournal, FileJournalOptions } from './file-journal.ts'
export { fileJournal } from './file-journal.ts'
