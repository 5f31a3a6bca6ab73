export type { FromFolderOptions } from './from-folder.ts'
export { fromFolder } from './from-folder.ts'
