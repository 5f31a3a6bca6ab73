import { performance } from 'node:perf_hooks'
const t=process.cpuUsage(); const a=performance.now()
await Promise.all(process.argv.slice(2).map(m=>import(m)))
const u=process.cpuUsage(t)
console.log(process.argv.slice(2).join(' ').padEnd(50), ((u.user+u.system)/1000).toFixed(1),'cpu ms', (performance.now()-a).toFixed(1),'ms')
