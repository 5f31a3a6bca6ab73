/** Tests the second quarter of the dialects against the dialect contract. */
import { describeContract } from '../../test/dialects/contract.ts'

describeContract(2)
