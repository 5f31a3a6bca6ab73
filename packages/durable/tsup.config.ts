import { library } from '../../tsup.shared.ts'

export default library(['src/index.ts', 'src/dbos/index.ts', 'src/restate/index.ts', 'src/contract/index.ts'], {
  noExternal: ['@x/file-owner'],
})
