// SPDX-License-Identifier: Apache-2.0

package load

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What an author wrote for zh: is recognised in each of the forms that occur, and
// nothing else is.
func TestMarkOfTheChineseText(t *testing.T) {
	for line, mark := range map[string]string{
		"zh 文本": "zh ", "zh文本": "zh", "ZH: 文本": "ZH:", "zh：文本": "zh：", "zh ： 文本": "zh ：", "zh-CN: 文本": "zh-CN:",
		"zh - 文本": "zh - ", "zh. 文本": "zh. ", "[zh] 文本": "[zh] ", "(zh) 文本": "(zh) ", "zh，文本": "zh，",
		"zh is a language": "", "zhang 文本": "", "文本": "", "zhì": "", "": "",
	} {
		assert.Equal(t, mark, markZH(line), line)
	}
}
