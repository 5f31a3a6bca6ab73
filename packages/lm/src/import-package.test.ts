import { expect, it } from 'vitest'
import { importPackage } from './import-package.ts'

it('a package that is not installed is an error that says how to install it', async () => {
  const cause = new Error('Cannot find package')
  const importing = importPackage('some-codec', () => Promise.reject(cause), 'to read streams of Some')
  await expect(importing).rejects.toMatchObject({
    code: 'missing_package',
    message: 'The package some-codec is needed to read streams of Some. Install it: npm i some-codec',
    cause,
  })
})
