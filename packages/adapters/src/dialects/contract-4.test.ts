/** The contract of dialects, kept by the last quarter of them. */
import { describeContract } from '../../test/dialects/contract.ts'

describeContract(4)
