// Runs before the first paint, so that the chosen theme never flashes. Served as /theme.js.
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
  // A page that was opened ahead of its visitor may be seen after they chose another one.
  document.addEventListener('prerenderingchange', show)
  // Chromium decides on the cross-fade from the page before without a look at a style sheet that has just
  // arrived, and gives it up with an error that nobody can catch. To ask for a style is to make it look.
  getComputedStyle(document.documentElement).getPropertyValue('color-scheme')
})()
