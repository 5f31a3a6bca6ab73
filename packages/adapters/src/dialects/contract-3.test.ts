/** The contract of dialects, kept by the third quarter of them. */
import { describeContract } from '../../test/dialects/contract.ts'

describeContract(3)
