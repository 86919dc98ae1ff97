import type { Page } from '@playwright/test'
import { boxes, expectBoxes, typeCode } from '../steps/code-steps.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { store } from '../support/storage.ts'

async function open(page: Page, path: string): Promise<void> {
  await store(page, { userEmail: newPerson().email })
  await page.goto(path)
  await expectBoxes(page, ['', '', '', '', '', ''])
}

for (const path of ['/verify-email', '/forgot-password-otp']) {
  test(`${path} accepts only digits, one per box, and advances the focus`, async ({ page }) => {
    await open(page, path)
    await expect(boxes(page).first()).toBeFocused()
    await page.keyboard.type('a -x')
    await expectBoxes(page, ['', '', '', '', '', ''])
    await expect(boxes(page).first()).toBeFocused()
    for (const [box, digit] of [...'12345'].entries()) {
      await page.keyboard.type(digit)
      await expect(boxes(page).nth(box + 1)).toBeFocused()
    }
    await page.keyboard.type('6')
    await expect(boxes(page).nth(5)).toBeFocused()
    await expectBoxes(page, [...'123456'])

    await boxes(page).nth(2).click()
    await page.keyboard.type('z')
    await expectBoxes(page, [...'123456'])
    await page.keyboard.type('9')
    await expectBoxes(page, [...'129456'])
    await expect(boxes(page).nth(3)).toBeFocused()

    // Overwriting an existing code, even with equal digits.
    await typeCode(page, '129457')
    await typeCode(page, '129457')
  })

  test(`${path} distributes a pasted or autofilled code over the boxes`, async ({ page }) => {
    await open(page, path)
    await page.evaluate(() => navigator.clipboard.writeText('Code: 123 456'))
    await boxes(page).nth(3).click()
    await page.keyboard.press('ControlOrMeta+v')
    await expectBoxes(page, [...'123456'])
    await expect(boxes(page).nth(5)).toBeFocused()

    // As a browser autofills a code from a message.
    await page.reload()
    await expectBoxes(page, ['', '', '', '', '', ''])
    await expect(boxes(page).first()).toHaveAttribute('autocomplete', 'one-time-code')
    await boxes(page).first().fill('654321')
    await expectBoxes(page, [...'654321'])

    await page.evaluate(() => navigator.clipboard.writeText('no digits'))
    await boxes(page).first().click()
    await page.keyboard.press('ControlOrMeta+v')
    await expectBoxes(page, [...'654321'])
    await page.evaluate(() => navigator.clipboard.writeText('78'))
    await boxes(page).nth(1).click()
    await page.keyboard.press('ControlOrMeta+v')
    await expectBoxes(page, [...'678321'])
    await expect(boxes(page).nth(3)).toBeFocused()
  })

  test(`${path} moves the focus with the arrow keys, Home and End`, async ({ page }) => {
    await open(page, path)
    await typeCode(page, '123456')
    const steps = { ArrowLeft: 4, Home: 0, ArrowRight: 1, End: 5 }
    for (const [key, box] of Object.entries(steps)) {
      await page.keyboard.press(key)
      await expect(boxes(page).nth(box)).toBeFocused()
    }
    await page.keyboard.press('ArrowRight')
    await expect(boxes(page).nth(5)).toBeFocused()
    await expectBoxes(page, [...'123456'])
  })
}

/** Places the caret before the digit, where the native Backspace deletes nothing. */
async function caretBeforeDigit(page: Page, box: number): Promise<void> {
  await boxes(page).nth(box).focus()
  await boxes(page)
    .nth(box)
    .evaluate((element: HTMLInputElement) => element.setSelectionRange(0, 0))
}

test('Backspace on /verify-email clears its box, or the previous one if that is empty', async ({ page }) => {
  await open(page, '/verify-email')
  await typeCode(page, '123456')
  await caretBeforeDigit(page, 3)
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '2', '3', '', '5', '6'])
  await expect(boxes(page).nth(3)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '2', '', '', '5', '6'])
  await expect(boxes(page).nth(2)).toBeFocused()
})

test('Backspace in an empty box on /forgot-password-otp clears and focuses the previous one', async ({
  page,
}) => {
  await open(page, '/forgot-password-otp')
  await page.keyboard.type('123')
  await expect(boxes(page).nth(3)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '2', '', '', '', ''])
  await expect(boxes(page).nth(2)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '', '', '', '', ''])
  await expect(boxes(page).nth(1)).toBeFocused()

  // In a filled box the native Backspace deletes the digit before the caret, if any.
  await caretBeforeDigit(page, 0)
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '', '', '', '', ''])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['', '', '', '', '', ''])
  await page.keyboard.press('Backspace')
  await expect(boxes(page).first()).toBeFocused()
})
