import { library } from '../../tsup.shared.ts'

export default library([
  'src/index.ts',
  'src/dialects/index.ts',
  'src/wire/index.ts',
  'src/arguments/index.ts',
  'src/testing/index.ts',
])
