import { defineConfig } from 'tsup'

// The build has no declarations, because the app is run as a program. Only the lab imports parts of it: the planner, the domains and the
// tools. Each domain becomes its own file. Only the used parts of typebox are bundled.
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    planner: 'src/planner/planner-lm.ts',
    domains: 'src/domains/index.ts',
    tools: 'src/agent/demo-tools.ts',
    'sqlite-worker': 'src/sql/sqlite-worker.js',
    'killed-program': 'src/example-runs/killed-program.ts',
    'code-program': 'src/example-runs/code-program.ts',
  },
  format: ['esm'],
  splitting: true,
  noExternal: ['typebox', '@x/file-owner'],
  clean: true,
  sourcemap: true,
  target: 'node20',
})
