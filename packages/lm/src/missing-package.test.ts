import { expect, it } from 'vitest'
import { missingPackage } from './check-options.ts'

it('explains how to install a missing package', () => {
  const cause = new Error('Cannot find package')
  expect(missingPackage('some-codec', 'to read streams of Some', cause)).toMatchObject({
    code: 'missing_package',
    message: 'The package some-codec is needed to read streams of Some. Install it: npm i some-codec',
    cause,
  })
})
