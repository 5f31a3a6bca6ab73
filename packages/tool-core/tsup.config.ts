import { build, type Options } from 'tsup'
import { library, SHARED } from '../../tsup.shared.ts'

const COMPILER = 'compile'

/**
 * Builds the compiler of schemas separately, with its own copy of what it shares with the rest. Bundlers put code that two of their chunks
 * share into the first one, so a program without tools would load most of the validators.
 */
const separateCompiler: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'separate-compiler',
  setup({ onResolve }) {
    onResolve({ filter: /\/validators\/compile\.ts$/ }, () => ({ path: `./${COMPILER}.js`, external: true, sideEffects: false }))
  },
}

export default library({
  // The entry `type` contains TypeBox, in one file. No other entry imports its values.
  noExternal: ['typebox'],
  esbuildPlugins: [separateCompiler],
  onSuccess: async () =>
    build({ ...SHARED, config: false, silent: true, entry: { [COMPILER]: 'src/schema/validators/compile.ts' }, clean: false }),
})
