import { build, type Options } from 'tsup'
import { library, SHARED } from '../../tsup.shared.ts'

const COMPILER = 'compile'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Builds the compiler of schemas separately, with its own copy of what it shares with the rest, except for the errors. Bundlers put code that
 * two of their chunks share into the first one, so a program without tools would load most of the validators.
 */
const separateCompiler: Plugin = {
  name: 'separate-compiler',
  setup({ onResolve }) {
    onResolve({ filter: /\/validators\/compile\.ts$/ }, () => ({ path: `./${COMPILER}.js`, external: true, sideEffects: false }))
  },
}

/** Errors of the compiler are instances of the class that the package exports. */
const sharedErrors: Plugin = {
  name: 'shared-errors',
  setup({ onResolve }) {
    onResolve({ filter: /\/errors\.ts$/ }, () => ({ path: './index.js', external: true }))
  },
}

export default library({
  // The entry `type` contains TypeBox, in one file. No other entry imports its values.
  noExternal: ['typebox'],
  esbuildPlugins: [separateCompiler],
  onSuccess: async () =>
    build({
      ...SHARED,
      ...{ config: false, silent: true, entry: { [COMPILER]: 'src/schema/validators/compile.ts' }, clean: false },
      esbuildPlugins: [sharedErrors, ...(SHARED.esbuildPlugins ?? [])],
    }),
})
