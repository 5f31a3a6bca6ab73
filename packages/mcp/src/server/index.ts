export { importServer } from '../packages.ts'
