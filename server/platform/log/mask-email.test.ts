import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskEmail } from './mask-email.ts'

test('shows the domain and two letters, or one if there are fewer than five', () => {
  const masked: Record<string, string> = {
    'alice@mail.example': 'al•••@mail.example',
    'a@mail.example': 'a•••@mail.example',
    'al@mail.example': 'a•••@mail.example',
    'anna@mail.example': 'a•••@mail.example',
    'annas@mail.example': 'an•••@mail.example',
    'first.last+tag@gmail.com': 'fi•••@gmail.com',
    'AnyBody@Mail.Example': 'An•••@Mail.Example',
  }
  for (const [email, expected] of Object.entries(masked)) assert.equal(maskEmail(email), expected)
})
