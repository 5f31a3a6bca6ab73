/** Runs before each test file: property tests draw the same cases in every run. */
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.X_SEED) })
