import type { Page } from '@playwright/test'
import { boxes, expectBoxes, typeCode } from './code-steps.ts'
import { newPerson } from './people.ts'
import { expect, test } from './product.ts'
import { keep } from './storage.ts'

async function open(page: Page, path: string): Promise<void> {
  await keep(page, { userEmail: newPerson().email })
  await page.goto(path)
  await expectBoxes(page, ['', '', '', '', '', ''])
}

for (const path of ['/verify-email', '/forgot-password-otp']) {
  test(`${path} takes digits only, one in each box, and the focus moves on`, async ({ page }) => {
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

    // Over a code that stands there already, also where its digits are the same.
    await typeCode(page, '129457')
    await typeCode(page, '129457')
  })

  test(`${path} spreads a code that is pasted or filled in as a whole`, async ({ page }) => {
    await open(page, path)
    await page.evaluate(() => navigator.clipboard.writeText('Code: 123 456'))
    await boxes(page).nth(3).click()
    await page.keyboard.press('ControlOrMeta+v')
    await expectBoxes(page, [...'123456'])
    await expect(boxes(page).nth(5)).toBeFocused()

    // As a browser does that knows the code from a message.
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

  test(`${path} is walked with the arrow keys, Home and End`, async ({ page }) => {
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

/** Places the caret before the digit, where a browser's own Backspace has nothing to delete. */
async function caretBeforeDigit(page: Page, box: number): Promise<void> {
  await boxes(page).nth(box).focus()
  await boxes(page)
    .nth(box)
    .evaluate((element: HTMLInputElement) => element.setSelectionRange(0, 0))
}

test('Backspace on /verify-email clears the box it is in, and the one before when that is empty', async ({
  page,
}) => {
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

test('Backspace on /forgot-password-otp clears and focuses the box before an empty one', async ({ page }) => {
  await open(page, '/forgot-password-otp')
  await page.keyboard.type('123')
  await expect(boxes(page).nth(3)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '2', '', '', '', ''])
  await expect(boxes(page).nth(2)).toBeFocused()
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '', '', '', '', ''])
  await expect(boxes(page).nth(1)).toBeFocused()

  // A filled box is the browser's own business: the digit before the caret goes, if there is one.
  await caretBeforeDigit(page, 0)
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['1', '', '', '', '', ''])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await expectBoxes(page, ['', '', '', '', '', ''])
  await page.keyboard.press('Backspace')
  await expect(boxes(page).first()).toBeFocused()
})
