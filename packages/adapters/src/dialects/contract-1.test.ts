/** The contract of dialects, kept by the first quarter of them. */
import { describeContract } from '../../test/dialects/contract.ts'

describeContract(1)
