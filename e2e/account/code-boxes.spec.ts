import type { Page } from '@playwright/test'
import { boxes, expectBoxes, typeCode } from '../steps/account-steps.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { store } from '../support/storage.ts'

test('the boxes take a code that is typed, pasted or autofilled', async ({ page }) => {
  const paste = async (text: string, box: number) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await boxes(page).nth(box).click()
    await page.keyboard.press('ControlOrMeta+v')
  }
  await store(page, { userEmail: newPerson().email })
  await openEmpty(page, '/verify-email')

  await test.step('accepts only digits, one per box, and advances the focus', async () => {
    await page.keyboard.type('a -x')
    await expectBoxes(page, '______')
    await expect(boxes(page).first()).toBeFocused()
    for (const [box, digit] of [...'12345'].entries()) {
      await page.keyboard.type(digit)
      await expect(boxes(page).nth(box + 1)).toBeFocused()
    }
    await page.keyboard.type('6')
    await expect(boxes(page).nth(5)).toBeFocused()
    await expectBoxes(page, '123456')

    await boxes(page).nth(2).click()
    await page.keyboard.type('z')
    await expectBoxes(page, '123456')
    await page.keyboard.type('9')
    await expectBoxes(page, '129456')
    await expect(boxes(page).nth(3)).toBeFocused()

    // Typing over a code works even if the digits are the same.
    await typeCode(page, '129457')
    await typeCode(page, '129457')
  })

  await test.step('distributes a pasted or autofilled code over the boxes', async () => {
    await paste('Code: 123 456', 3)
    await expectBoxes(page, '123456')
    await expect(boxes(page).nth(5)).toBeFocused()
    // Browsers autofill a code into the field with this attribute.
    await expect(boxes(page).first()).toHaveAttribute('autocomplete', 'one-time-code')
    await boxes(page).first().fill('654321')
    await expectBoxes(page, '654321')
    await paste('no digits', 0)
    await expectBoxes(page, '654321')
    await paste('78', 1)
    await expectBoxes(page, '678321')
    await expect(boxes(page).nth(3)).toBeFocused()
  })

  await test.step('moves the focus with the arrow keys, Home and End', async () => {
    await typeCode(page, '123456')
    const focusedAfter = { ArrowLeft: 4, Home: 0, ArrowRight: 1, End: 5 }
    for (const [key, box] of Object.entries(focusedAfter)) {
      await page.keyboard.press(key)
      await expect(boxes(page).nth(box)).toBeFocused()
    }
    await page.keyboard.press('ArrowRight')
    await expect(boxes(page).nth(5)).toBeFocused()
    await expectBoxes(page, '123456')
  })

  await test.step('Backspace clears its box, and in an empty box the previous one', async () => {
    await placeCaretBeforeDigit(page, 3)
    await page.keyboard.press('Backspace')
    await expectBoxes(page, '123_56')
    await expect(boxes(page).nth(3)).toBeFocused()
    await page.keyboard.press('Backspace')
    await expectBoxes(page, '12__56')
    await expect(boxes(page).nth(2)).toBeFocused()
  })

  await test.step('on the screen for a reset code, Backspace moves the focus back', async () => {
    await openEmpty(page, '/forgot-password-otp')
    await typeCode(page, '123456')
    // In a filled box, the native Backspace deletes the digit before the caret, if there is one.
    await page.keyboard.press('Backspace')
    await expectBoxes(page, '12345_')
    await expect(boxes(page).nth(5)).toBeFocused()
    for (const left of [4, 3, 2, 1]) {
      await page.keyboard.press('Backspace')
      await expectBoxes(page, '1234'.slice(0, left).padEnd(6, '_'))
      await expect(boxes(page).nth(left)).toBeFocused()
    }
    await placeCaretBeforeDigit(page, 0)
    await page.keyboard.press('Backspace')
    await expectBoxes(page, '1_____')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    await expectBoxes(page, '______')
    await page.keyboard.press('Backspace')
    await expect(boxes(page).first()).toBeFocused()
  })
})

async function openEmpty(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expectBoxes(page, '______')
  await expect(boxes(page).first()).toBeFocused()
}

/** Before a digit, the native Backspace deletes nothing. */
async function placeCaretBeforeDigit(page: Page, box: number): Promise<void> {
  const input = boxes(page).nth(box)
  await input.focus()
  await input.evaluate((element: HTMLInputElement) => element.setSelectionRange(0, 0))
}
