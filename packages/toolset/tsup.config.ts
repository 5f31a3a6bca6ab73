import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/memory.ts'],
  format: ['esm'],
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
  clean: true,
  sourcemap: true,
  target: 'node20',
  // The few builders that the shipped toolsets use go into the bundle: importing all of typebox costs over 100 ms.
  noExternal: ['typebox'],
})
