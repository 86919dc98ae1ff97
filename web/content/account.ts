/** Texts of the account screens. */
export const CODE_WORDS = {
  legend: 'Verification code',
  digit: (position: number) => `Digit ${position}`,
  sentTo: 'We sent a 6-digit code to',
  resend: 'Resend code',
  resending: 'Resending...',
  resendIn: (seconds: number) => `Resend in ${seconds}s`,
  resent: 'OTP resent successfully!',
  resendFailed: 'Failed to resend OTP',
  failed: 'Verification failed',
  missingEmail: 'Missing email. Please register again.',
  wrongEmail: 'Wrong email?',
} as const

export const PASSWORD_WORDS = { show: 'Show', hide: 'Hide', password: 'password' } as const

export const LOGIN = {
  title: 'Welcome Back',
  lead: 'Log in to see your points, your claim and your rank.',
  email: 'Email',
  password: 'Password',
  forgot: 'Forgot Password?',
  button: 'Login',
  noAccount: 'No account yet?',
  register: 'Create one',
  done: 'Logged in successfully!',
  failed: 'Login failed',
  /** The server's message that leads to the code screen, and the toast shown for it. */
  unverified: 'Please verify your email before logging in.',
  verifyFirst: 'Please verify your email first!',
  unknownRole: 'Unknown role. Contact support.',
} as const

export const VERIFY_EMAIL = {
  title: 'Verify Your Email',
  button: 'Verify Email',
  done: 'Email verified successfully!',
} as const

export const FORGOT_PASSWORD = {
  title: 'Forgot Password',
  lead: 'Enter your account’s email. We’ll send a code to reset your password.',
  email: 'Email',
  button: 'Send Reset Code',
  backToLogin: 'Back to Login',
  done: 'Password reset code sent! Check your email to continue.',
  failed: 'Failed to send reset code',
  emailRequired: 'Please enter your email',
} as const

export const VERIFY_OTP = {
  title: 'Verify OTP',
  button: 'Verify OTP',
  done: 'OTP verified successfully',
} as const

export const RESET_PASSWORD = {
  title: 'Reset Password',
  lead: 'Choose a new password. You’ll be logged out everywhere else.',
  newPassword: 'New Password',
  newPasswordHint: 'At least 8 characters. A short sentence works well.',
  confirmPassword: 'Confirm Password',
  button: 'Reset Password',
  backToLogin: 'Back to Login',
  done: 'Password reset successfully!',
  failed: 'Failed to reset password',
  mismatch: 'Passwords do not match!',
  missing: 'Missing email or reset token. Please request a new password reset.',
} as const

/** Shown during proof of work, when the rate limit of the network is spent. */
export const CHALLENGE_WORDS = {
  explanation:
    'Many people share your network. To skip the wait, your device is solving a small puzzle. It takes a moment.',
  progress: 'Puzzle solved',
  percent: (done: number) => `${Math.floor(done * 100)}%`,
} as const
