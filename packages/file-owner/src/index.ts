/**
 * Reserves a file for one process, even after an earlier owner was killed. Also opens files safely that other programs may have created.
 */
export { type Clear, isOwned, NotOwned, OWNER, type Owned, own, ownerElsewhere, renew, type SilentOwner } from './own.ts'
export { isHere, isRunning, markOf, type ProcessMark } from './process-mark.ts'
export { NO_FILE, openRegular, readRegularSync } from './regular-file.ts'
export { removeSqliteLock, waitToOwn } from './wait-to-own.ts'
