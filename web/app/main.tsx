import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import '#web/styles/main.css'
import { keepReferral } from '#web/features/referral/referral.ts'
import { App } from './app.tsx'

keepReferral(location.search)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root for the application.')
const application = createRoot(root)
startTransition(() => application.render(<App />))
