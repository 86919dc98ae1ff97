// Before the first paint; why each line: html-document.tsx
;(() => {
  const show = () => {
    try {
      const theme = localStorage.getItem('theme')
      if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
      else delete document.documentElement.dataset.theme
    } catch {
      // Storage is closed to us: the system's theme stays.
    }
  }
  show()
  document.addEventListener('prerenderingchange', show)
  getComputedStyle(document.documentElement).getPropertyValue('color-scheme')
})()
