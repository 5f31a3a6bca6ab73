export type { FromFolderOptions } from './load/from-folder.ts'
export { fromFolder } from './load/from-folder.ts'
