import { library } from '../../tsup.shared.ts'

export default library()
