// Runs before the first paint, so that the chosen theme never flashes. Served as /theme.js.
;(() => {
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage is closed to us: the system's theme stays.
  }
})()
