import { library } from '../../tsup.shared.ts'

// The few typebox builders that the shipped toolsets use go into the bundle: importing all of typebox costs over 100 ms.
export default library(['src/index.ts', 'src/memory.ts'], { noExternal: ['typebox'] })
