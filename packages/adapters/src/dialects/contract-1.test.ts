/** The contract of dialects, kept by the first quarter of them. */
import { describeContract } from './test-contract.ts'

describeContract(1)
