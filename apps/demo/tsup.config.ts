import { defineConfig } from 'tsup'

// The app is run, and only the lab imports its planner: no declarations. Each domain becomes a file of its own; of typebox only what is used comes along.
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    planner: 'src/planner/planner-lm.ts',
    'sqlite-worker': 'src/sql/sqlite-worker.js',
    'killed-program': 'src/runs/killed-program.ts',
  },
  format: ['esm'],
  splitting: true,
  noExternal: ['typebox', '@x/file-owner'],
  clean: true,
  sourcemap: true,
  target: 'node20',
})
