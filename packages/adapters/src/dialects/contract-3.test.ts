/** The contract of dialects, kept by the third quarter of them. */
import { describeContract } from './test-contract.ts'

describeContract(3)
