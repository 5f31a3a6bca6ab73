/** One process at a time for a file, also after a process was killed; and files that others may have put there. */
export { isOwned, NotOwned, OWNER, own } from './own.ts'
export { isHere, isRunning, markOf, type ProcessMark } from './process-mark.ts'
export { NO_FILE, openRegular, readRegularSync } from './regular-file.ts'
