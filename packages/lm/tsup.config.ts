import { library } from '../../tsup.shared.ts'

export default library(['src/index.ts', 'src/testing.ts', 'src/rescue.ts', 'src/presets/index.ts', 'src/ai-sdk/index.ts'])
