/** The contract of dialects, kept by the second quarter of them. */
import { describeContract } from '../../test/dialects/contract.ts'

describeContract(2)
